/** Ends a program on a version of Node that can't run TypeScript. Loaded with `--import`, before the program. */
const { node } = process.versions;
if (Number(node.split('.')[0]) < 24) {
  console.error(
    `Node 24 is needed, this is Node ${node}. Install Node 24: npm prune --omit=dev has removed the project's own.`,
  );
  process.exit(1);
}
