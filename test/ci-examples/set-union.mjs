// gitlab-ci-local needs it; Node has it since version 22.
Set.prototype.union ??= function union(other) {
  return new Set([...this, ...other]);
};
