"""``python -m relbounds`` is the command ``relbounds``."""

import sys

from relbounds.cli import main

sys.exit(main())
