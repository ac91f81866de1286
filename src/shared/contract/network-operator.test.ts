import { expect, it } from '@jest/globals';
import { isNetworkOperatorPod } from './network-operator.js';

it.each([
  { name: 'the label of the chart', labels: { 'app.kubernetes.io/name': 'network-operator' }, expected: true },
  { name: "OLM's label", labels: { 'control-plane': 'nvidia-network-operator-controller' }, expected: true },
  { name: 'a label of another operator', labels: { 'control-plane': 'controller-manager' }, expected: false },
  { name: 'a tag', images: ['nvcr.io/nvidia/cloud-native/network-operator:v26.4.0'], expected: true },
  { name: 'a digest', images: ['mirror.example.com:5000/network-operator@sha256:00ff'], expected: true },
  { name: 'a tag and a digest', images: ['mirror.example.com/x/network-operator:v1@sha256:00ff'], expected: true },
  { name: 'no tag', images: ['side:1', 'network-operator'], expected: true },
  { name: 'a tag of that name', images: ['mirror.example.com/x:network-operator'], expected: false },
  { name: 'the SR-IOV operator', images: ['nvcr.io/nvidia/mellanox/sriov-network-operator:v1'], expected: false },
  { name: 'the init container', images: ['nvcr.io/x/network-operator-init-container:v1'], expected: false },
])('$name: $expected', ({ labels = {}, images = [], expected }) => {
  expect(isNetworkOperatorPod({ labels, images })).toBe(expected);
});
