#!/usr/bin/env node
import { existsSync } from 'node:fs';
import { enableCompileCache } from 'node:module';
import path from 'node:path';

// Lets all commands share compiled code; must be enabled before anything is loaded.
enableCompileCache(path.join(import.meta.dirname, '../../node_modules/.cache/compiled'));
const { endProcess } = await import('./cli/end-process.ts');
const { runCommand } = await import('./cli/run-command.ts');

// The settings of a checkout; variables already in the environment win.
if (existsSync('.env')) process.loadEnvFile('.env');
endProcess(await runCommand(process.argv.slice(2), process.env));
