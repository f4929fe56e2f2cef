"""What every test needs: compiled code in a fresh folder, shared with the processes that tests start; no windows."""

import atexit
import os
import shutil
import tempfile

# At import, because numba and matplotlib read them when they are imported.
_CACHE = tempfile.mkdtemp(prefix="woolsim-test-cache-")
atexit.register(shutil.rmtree, _CACHE, ignore_errors=True)
os.environ["WOOLSIM_CACHE_DIR"] = _CACHE
os.environ["MPLBACKEND"] = "Agg"
os.environ.pop("COLUMNS", None)  # tables are as wide as without a terminal
