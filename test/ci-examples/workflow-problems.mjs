// Prints the problems that GitHub's own parser finds in the workflow on standard input, a line for each. Its modules import JSON in a
// way that only some versions of Node support, so the test bundles this file first.
import { readFileSync } from 'node:fs';
import { convertWorkflowTemplate, NoOperationTraceWriter, parseWorkflow } from '@actions/workflow-parser';

async function main() {
  const { context, value } = parseWorkflow(
    { name: 'workflow.yml', content: readFileSync(0, 'utf8') },
    new NoOperationTraceWriter(),
  );
  if (value !== undefined) await convertWorkflowTemplate(context, value);
  for (const { message } of context.errors.getErrors()) process.stdout.write(`${message}\n`);
}

void main();
