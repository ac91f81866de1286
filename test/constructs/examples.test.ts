import { describe, expect, it } from '@jest/globals';
import type { App } from 'cdk8s';
import { fleet } from '../../examples/constructs/fleet.js';
import { ownConstructs } from '../../examples/constructs/own-constructs.js';
import { trainingJob } from '../../examples/constructs/training-job.js';
// A unit test of a user's chart, which runs together with these tests.
import '../../examples/constructs/own-chart.test.js';

interface Manifest {
  readonly kind: string;
  readonly metadata: { readonly name: string };
}

const objectsOf = (app: App) => app.charts.flatMap((chart) => chart.toJson() as readonly Manifest[]);

/** Objects of the listed kinds are shown completely, of the others only kind and name. */
const shown = (app: App, kinds: readonly string[]) =>
  objectsOf(app).map((object) => (kinds.includes(object.kind) ? object : `${object.kind} ${object.metadata.name}`));

describe('examples', () => {
  it('a training Job over two RDMA networks', () => {
    expect(shown(trainingJob(), ['Job', 'IPPool', 'NetworkAttachmentDefinition'])).toMatchSnapshot();
  });

  it('a fleet of clusters', () => {
    expect(shown(fleet(), [])).toMatchSnapshot();
  });

  it("Weft beside constructs of a user's own", () => {
    const found = shown(ownConstructs(), ['ResourceQuota']);
    expect(found).toMatchSnapshot();
    expect(JSON.stringify(objectsOf(ownConstructs()))).toContain('"example.com/owner":"platform"');
  });
});
