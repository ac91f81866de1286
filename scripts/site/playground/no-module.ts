// Stands for modules of Node that cdk8s imports and that compiling does not call: `fs`, `path`, `os`, `child_process`.
export {};
