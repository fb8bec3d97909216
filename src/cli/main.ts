#!/usr/bin/env node
/** The program `holdpoint`. A hook runs before every tool call of an agent, and loads only what that takes. */
if (process.argv[2] === 'hook') void import('./hook-main.ts');
else void import('./command-main.ts');
