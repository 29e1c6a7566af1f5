"""``python -m relbounds`` is the command ``relbounds``."""

import sys

from relbounds.cli.main import main

sys.exit(main())
