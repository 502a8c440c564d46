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
  | 'timeline'
  | 'replication'
  | 'limits'
  | 'connections'
  | 'snapshots'
  | 'backup'
  | 'secret'
  | 'mode'
  | 'nodes'
  | 'channels'
  | 'payments'
  | 'callbacks'
  | 'port';

/** The result of one check. */
export type Check = {
  name: CheckName;
  ok: boolean;
  /** The service can start, but an operator should look at it. */
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
