export type CheckName =
  | 'settings'
  | 'node'
  | 'time_zone'
  | 'data_folder'
  | 'disk'
  | 'database'
  | 'durability'
  | 'migrations'
  | 'clock'
  | 'secret'
  | 'channels'
  | 'callbacks'
  | 'port';

/** One thing that was looked at, and what was found. */
export type Check = {
  name: CheckName;
  ok: boolean;
  /** It does not keep the service from starting, but somebody should see to it. */
  warning?: true;
  detail: string;
};

export function passed(name: CheckName, detail: string): Check {
  return { name, ok: true, detail };
}

export function warned(name: CheckName, detail: string): Check {
  return { name, ok: true, warning: true, detail };
}

export function failed(name: CheckName, detail: string): Check {
  return { name, ok: false, detail };
}
