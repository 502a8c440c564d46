#!/usr/bin/env node
import { existsSync } from 'node:fs';
import { runCommand } from './cli/run-command.ts';

// The settings of a checkout; what is set in the environment already wins.
if (existsSync('.env')) process.loadEnvFile('.env');
process.exitCode = await runCommand(process.argv.slice(2), process.env);
// The channel to the launcher would keep the process alive.
if (process.connected) process.disconnect();
