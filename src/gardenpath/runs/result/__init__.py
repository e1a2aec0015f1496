"""What a command found out: findings, tables, verdicts, observations, and how they are written."""
