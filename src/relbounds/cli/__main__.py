"""``python -m relbounds.cli``."""

from relbounds.cli.main import main

raise SystemExit(main())
