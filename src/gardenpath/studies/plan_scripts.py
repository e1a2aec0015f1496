"""A plan for those who give out the work: a Slurm array, and an indexed job of Kubernetes."""

from __future__ import annotations

import shlex
from pathlib import Path


def slurm_script(plan: Path, base: Path, shards: int) -> str:
    """For `sbatch`: each task of the array does its shard; sent again, it does only what is missing."""
    return f"""#!/bin/bash
#SBATCH --job-name=gardenpath
#SBATCH --array=1-{shards}
#SBATCH --cpus-per-task=1
#SBATCH --output={plan}/slurm-%a.log
cd {shlex.quote(str(base))}
exec gardenpath run {shlex.quote(str(plan))} --shard "$SLURM_ARRAY_TASK_ID/{shards}"
"""


def kubernetes_manifest(plan: Path, shards: int, image: str = "gardenpath") -> str:
    """For `kubectl apply`: an indexed job whose pods share the volume `work`, in which the plan lies."""
    command = f'exec gardenpath run {shlex.quote(str(plan))} --shard "$((JOB_COMPLETION_INDEX + 1))/{shards}"'
    return f"""apiVersion: batch/v1
kind: Job
metadata:
  name: gardenpath
spec:
  completionMode: Indexed
  completions: {shards}
  parallelism: {shards}
  backoffLimitPerIndex: 2
  template:
    spec:
      restartPolicy: Never
      containers:
        - name: shard
          image: {image}
          command: ["/bin/sh", "-c"]
          args:
            - {command!r}
          volumeMounts:
            - name: work
              mountPath: {plan.parent}
      volumes:
        - name: work
          persistentVolumeClaim:
            claimName: work
"""
