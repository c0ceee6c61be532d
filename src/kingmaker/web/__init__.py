"""The page: play, watch, compare and look around in a browser. `server.py` starts it; NiceGUI serves all assets."""
