// gitlab-ci-local needs `Set.prototype.union`, which Node has since version 22.
Set.prototype.union ??= function union(other) {
  return new Set([...this, ...other]);
};
