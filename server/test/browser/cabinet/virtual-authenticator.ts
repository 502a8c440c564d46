import type { CDPSession, Page } from 'playwright-core';

export type VirtualAuthenticator = {
  /** What the device keeps of each passkey. */
  credentials(): Promise<Credential[]>;
  /** Replaces what it keeps of a passkey. */
  replace(credential: Credential): Promise<void>;
};

type Credential = { credentialId: string; signCount: number } & Record<string, unknown>;

/**
 * A device with passkeys, as Chromium itself plays one: it agrees to everything and knows its
 * owner. It belongs to one page.
 */
export async function plugIn(page: Page): Promise<VirtualAuthenticator> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('WebAuthn.enable', { enableUI: false });
  const { authenticatorId } = await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return {
    async credentials() {
      const { credentials } = await devtools.send('WebAuthn.getCredentials', { authenticatorId });
      return credentials as Credential[];
    },
    async replace(credential) {
      const { credentialId } = credential;
      await devtools.send('WebAuthn.removeCredential', { authenticatorId, credentialId });
      type Added = Parameters<CDPSession['send']>[1];
      await devtools.send('WebAuthn.addCredential', {
        authenticatorId,
        credential,
      } as Added as never);
    },
  };
}
