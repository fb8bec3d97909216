// Preloaded before every script. Plain JavaScript, because the Node it turns away cannot read TypeScript.
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < 22 || (major === 22 && minor < 18)) {
  console.error(
    `Node ${process.versions.node} is too old: run this through npm (npm brings its own Node on Linux) or install Node 24.`,
  );
  process.exit(1);
}
