import type { Page } from 'playwright-core';

type DevTools = Awaited<ReturnType<typeof connectDevTools>>;
/** A passkey as the device keeps it. */
type Credential = Awaited<ReturnType<typeof readCredentials>>[number];

export type VirtualAuthenticator = {
  /** What the device keeps of each passkey. */
  credentials(): Promise<Credential[]>;
  /** Replaces what it keeps of a passkey. */
  replace(credential: Credential): Promise<void>;
};

/**
 * A device with passkeys, as Chromium itself plays one: it agrees to everything and knows its
 * owner. It belongs to one page.
 */
export async function plugIn(page: Page): Promise<VirtualAuthenticator> {
  const devtools = await connectDevTools(page);
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
    credentials: () => readCredentials(devtools, authenticatorId),
    async replace(credential) {
      const { credentialId } = credential;
      await devtools.send('WebAuthn.removeCredential', { authenticatorId, credentialId });
      await devtools.send('WebAuthn.addCredential', { authenticatorId, credential });
    },
  };
}

async function connectDevTools(page: Page) {
  return await page.context().newCDPSession(page);
}

async function readCredentials(devtools: DevTools, authenticatorId: string) {
  return (await devtools.send('WebAuthn.getCredentials', { authenticatorId })).credentials;
}
