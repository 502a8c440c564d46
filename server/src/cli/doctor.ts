import { BadConfig, type Config, readConfig } from '../config/config.ts';
import { findOpenSandbox } from '../installation/mode.ts';
import { type Check, failed } from './doctor/check.ts';
import { checkDatabase } from './doctor/database-checks.ts';
import { DOCTOR_TEXTS, type DoctorTexts } from './doctor/doctor-texts.ts';
import { checkFolders, checkMachine } from './doctor/machine-checks.ts';
import { checkPayments } from './doctor/payment-checks.ts';
import { checkPort } from './doctor/port-check.ts';
import { checkProviders } from './doctor/provider-checks.ts';
import { listSettings } from './doctor/settings.ts';
import type { Command } from './grammar/command.ts';
import type { Env } from './grammar/language.ts';

export const doctor: Command = {
  name: 'doctor',
  usage: '',
  summary: {
    en: 'Shows every setting and checks whether Zhiber can start; changes nothing',
    ru: 'Показывает настройки и проверяет, что нужно для запуска; ничего не меняет',
  },
  async run({ env, lang }) {
    const texts = DOCTOR_TEXTS[lang];
    const settings = listSettings(env);
    const checks = await runChecks(env, texts);
    const isGood = checks.every((check) => check.ok);
    const width = Math.max(...settings.map(({ name }) => name.length)) + 1;
    return {
      facts: { ok: isGood, settings, checks },
      lines: [
        texts.settings,
        ...settings.map(({ name, value, source }) => {
          return `  ${name.padEnd(width)} ${value ?? '—'}  (${texts.sources[source]})`;
        }),
        '',
        texts.checks,
        ...checks.map((check) => {
          return `  ${signOf(check)} ${texts.names[check.name].padEnd(width)} ${check.detail}`;
        }),
        '',
        summarise(checks, texts),
      ],
      exitCode: isGood ? 0 : 1,
    };
  },
};

function signOf({ ok, warning }: Check): string {
  if (!ok) return '✗';
  return warning === true ? '!' : '✓';
}

function summarise(checks: readonly Check[], texts: DoctorTexts): string {
  const bad = checks.filter(({ ok }) => !ok).length;
  if (bad > 0) return texts.bad(bad);
  const warnings = checks.filter(({ warning }) => warning === true).length;
  return warnings > 0 ? texts.warned(warnings) : texts.good;
}

/** A sandbox that others could reach without SANDBOX=public does not start. */
function checkReach(config: Config): Check[] {
  const reason = findOpenSandbox(config);
  return reason === undefined ? [] : [failed('mode', reason)];
}

/** Invalid settings are reported as failed checks; the checks that need them are skipped. */
async function runChecks(env: Env, texts: DoctorTexts): Promise<Check[]> {
  const machine = checkMachine(texts);
  let config: Config;
  try {
    config = readConfig(env);
  } catch (error) {
    if (!(error instanceof BadConfig)) throw error;
    return [...machine, ...error.problems.map((problem) => failed('settings', problem))];
  }
  const { checks: databaseChecks, nodes } = await checkDatabase(config, texts);
  return [
    ...machine,
    ...checkReach(config),
    ...(await checkFolders(config, texts)),
    ...databaseChecks,
    ...(await checkProviders(config, nodes, texts)),
    ...(await checkPayments(config, texts)),
    await checkPort(config, texts),
  ];
}
