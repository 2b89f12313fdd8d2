/** What GitHub's own parser says of a workflow. It is loaded by a hook, since it imports JSON in a way that Node.js refuses. */

import { register } from "node:module";

register(new URL("json-imports.mjs", import.meta.url));
const { convertWorkflowTemplate, NoOperationTraceWriter, parseWorkflow } = await import(
  "@actions/workflow-parser"
);

/** Unknown keys, wrong types, expressions that can't be read; nothing where all is well. */
export async function workflowErrors(text: string): Promise<string[]> {
  const file = { name: "import.yml", content: text };
  const { context, value } = parseWorkflow(file, new NoOperationTraceWriter());
  const parsed = context.errors.getErrors().map(({ message }) => message);
  if (value === undefined) return parsed;
  const { errors = [] } = await convertWorkflowTemplate(context, value);
  return [...parsed, ...errors.map(({ Message }) => Message)];
}
