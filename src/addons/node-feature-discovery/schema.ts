import * as z from 'zod';

export const nodeFeatureDiscoverySpec = z
  .strictObject({
    rules: z
      .boolean()
      .default(true)
      .describe(
        'Render the rule that gives nodes the label of an NVIDIA NIC, where something selects by it. `false` where the nodes ' +
          'have the label otherwise.',
      ),
  })
  .prefault({})
  .describe('What the cluster’s Node Feature Discovery is told; it must be installed.');

export type NodeFeatureDiscoverySpec = z.output<typeof nodeFeatureDiscoverySpec>;
