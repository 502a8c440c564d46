/** A configured port is in use by another program. */
export class PortTaken extends Error {
  constructor(setting: 'PORT' | 'OPS_PORT', port: number) {
    super(`Port ${port} is taken by another program. Stop it, or set ${setting} to a free port.`);
  }
}
