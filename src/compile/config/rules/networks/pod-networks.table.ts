import { testRule } from '../../../../../test/golden/rule-table.js';

const network = `apiVersion: mellanox.com/v1alpha1\nkind: MacvlanNetwork\nmetadata: {name: rdma-net}\nspec: {networkNamespace: apps}\n`;
const pod = (networks: string, namespace = ', namespace: apps'): string =>
  `apiVersion: v1\nkind: Pod\nmetadata: {name: test${namespace}, annotations: {k8s.v1.cni.cncf.io/networks: '${networks}'}}\nspec: {containers: [{name: a, image: a}]}\n`;
const job = (networks: string): string =>
  `apiVersion: batch/v1\nkind: Job\nmetadata: {name: test, namespace: default}\nspec:\n  template:\n    metadata:\n      annotations: {k8s.v1.cni.cncf.io/networks: '${networks}'}\n    spec: {restartPolicy: Never, containers: [{name: a, image: a}]}\n`;
/** A kind that Weft does not know. */
const MPI_JOB = `apiVersion: kubeflow.org/v2beta1
kind: MPIJob
metadata: {name: test, namespace: default}
spec:
  mpiReplicaSpecs:
    Worker:
      template:
        metadata: {annotations: {k8s.v1.cni.cncf.io/networks: rail}}
        spec: {containers: [{name: a, image: a, resources: {limits: {rdma/nic: 1}}}]}
`;

testRule('WEFT0347', {
  valid: [
    { name: 'of its namespace, twice', policy: network, network: pod('rdma-net, rdma-net@net2') },
    { name: 'of another namespace', policy: network, network: job('apps/rdma-net') },
    { name: 'as JSON', policy: network, network: job('[{"name": "rdma-net", "namespace": "apps"}]') },
    { name: 'of a pod without a namespace', policy: network, network: pod('rdma-net', '') },
    {
      name: 'what others write',
      policy: network,
      network: pod('').replace('/networks:', '/network-status:'),
    },
    { name: 'none', policy: network, network: pod('') },
  ],
  invalid: [
    {
      name: 'that the workers of a job of another kind name',
      policy: network,
      network: MPI_JOB,
      expected: [
        'network.yaml:8:63 the pods of MPIJob `test` name the network `rail` of namespace `default`, which no document makes',
      ],
    },
    {
      name: 'what is no JSON',
      policy: network,
      network: pod('[{'),
      expected: [
        'network.yaml:3:55 the pods of Pod `test` have the annotation `k8s.v1.cni.cncf.io/networks`, which is neither JSON nor names of networks',
      ],
      help: 'correct the JSON, or write names with commas between them',
    },
    {
      name: 'a misspelt key',
      policy: network,
      network: pod('rdma-net').replace('/networks:', '/network:'),
      expected: [
        'network.yaml:3:55 the pods of Pod `test` have the annotation `k8s.v1.cni.cncf.io/network`, which nothing reads',
      ],
      help: 'did you mean `k8s.v1.cni.cncf.io/networks`?',
    },
    {
      name: 'a name that is misspelt',
      policy: network,
      network: pod('rdma-net, rdma-nett@net2'),
      expected: [
        'network.yaml:3:84 the pods of Pod `test` name the network `rdma-nett` of namespace `apps`, which no document makes',
      ],
      help: 'did you mean `rdma-net`?',
    },
    {
      name: 'one of another namespace',
      policy: network,
      network: job('[{"name": "rdma-net"}]'),
      expected: [
        'network.yaml:7:50 the pods of Job `test` name the network `rdma-net` of namespace `default`, which no document makes',
      ],
      help: 'write `apps/rdma-net`: the network is in that namespace',
    },
    {
      name: 'one that is nowhere',
      network: job('storage'),
      expected: [
        'network.yaml:7:50 the pods of Job `test` name the network `storage` of namespace `default`, which no document makes',
      ],
      help: 'add it; if something else makes it, write `# weft-ignore WEFT0347: reason` above it',
    },
  ],
});
