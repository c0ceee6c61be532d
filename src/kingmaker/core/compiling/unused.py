"""Instructions whose values nobody uses are left out, so that LLVM need not read them. Imported late."""

from typing import Any

from llvmlite.ir import instructions

# instructions that do nothing but compute a value
PURE = {"insertvalue", "extractvalue", "getelementptr", "bitcast", "load", "add", "sub", "mul", "icmp", "select"}


def leave_out_unused(module: Any) -> None:
    """Remove the instructions of a module whose values nobody uses."""
    for function in module.functions:
        uses: dict[int, int] = {}
        for block in function.blocks:
            for each in block.instructions:
                for used in used_by(each):
                    uses[id(used)] = uses.get(id(used), 0) + 1
        for block in reversed(function.blocks):
            kept = []
            for each in reversed(block.instructions):
                if each.opname in PURE and id(each) not in uses:
                    for used in each.operands:
                        uses[id(used)] -= 1
                        if uses[id(used)] == 0:
                            del uses[id(used)]
                else:
                    kept.append(each)
            block.instructions[:] = reversed(kept)


def used_by(instruction: Any) -> Any:
    """The values that an instruction uses."""
    if isinstance(instruction, instructions.PhiInstr):
        return [value for value, _ in instruction.incomings]
    if isinstance(instruction, instructions.CallInstr):
        return [instruction.callee, *instruction.operands]
    return instruction.operands
