// Passkeys in the browser (WebAuthn level 3). The server speaks JSON with base64url, the browser's own calls take bytes.

interface CredentialJson {
  id: string;
  type: 'public-key';
  transports?: AuthenticatorTransport[];
}

/** Creation options as the server sends them. */
export type CreationOptionsJson = Omit<
  PublicKeyCredentialCreationOptions,
  'challenge' | 'user' | 'excludeCredentials'
> & {
  challenge: string;
  user: { id: string; name: string; displayName: string };
  excludeCredentials?: CredentialJson[];
};
/** Request options as the server sends them. */
export type RequestOptionsJson = Omit<PublicKeyCredentialRequestOptions, 'challenge' | 'allowCredentials'> & {
  challenge: string;
  allowCredentials?: CredentialJson[];
};

/** Why this page can use no passkeys: not opened over HTTPS, or by an IP address; the browser has none; null: it can. */
export type PasskeyObstacle = 'insecure' | 'address' | 'browser' | null;

/** What stands in the way of passkeys here. */
export function passkeyObstacle(): PasskeyObstacle {
  if (!isSecureContext) return 'insecure';
  // a passkey belongs to a name (the "relying party id"), never to a number
  if (/^[\d.]+$|^\[/.test(location.hostname)) return 'address';
  return typeof PublicKeyCredential === 'undefined' ? 'browser' : null;
}

/** What the browser's refusal means: the person cancelled or let it time out, has one already, or the address is wrong. */
export function passkeyRefusal(error: unknown): 'cancelled' | 'exists' | 'address' | null {
  const name = error instanceof DOMException ? error.name : '';
  if (name === 'NotAllowedError' || name === 'AbortError') return 'cancelled';
  if (name === 'InvalidStateError') return 'exists';
  return name === 'SecurityError' ? 'address' : null;
}

/** Has the browser make a passkey. @returns what the server checks @throws DOMException, see `passkeyRefusal` */
export async function makePasskey(options: CreationOptionsJson): Promise<object> {
  const made = await navigator.credentials.create({
    publicKey: {
      ...options,
      challenge: bytesOf(options.challenge),
      user: { ...options.user, id: bytesOf(options.user.id) },
      excludeCredentials: (options.excludeCredentials ?? []).map(described),
    },
  });
  const credential = made as PublicKeyCredential;
  const response = credential.response as AuthenticatorAttestationResponse;
  return {
    ...envelope(credential),
    response: {
      clientDataJSON: textOf(response.clientDataJSON),
      attestationObject: textOf(response.attestationObject),
      transports: response.getTransports?.() ?? [],
    },
  };
}

/** Has the browser sign with a passkey. @returns what the server checks @throws DOMException, see `passkeyRefusal` */
export async function signWithPasskey(options: RequestOptionsJson, signal?: AbortSignal): Promise<object> {
  const given = await navigator.credentials.get({
    publicKey: {
      ...options,
      challenge: bytesOf(options.challenge),
      allowCredentials: (options.allowCredentials ?? []).map(described),
    },
    ...(signal ? { signal } : {}),
  });
  const credential = given as PublicKeyCredential;
  const response = credential.response as AuthenticatorAssertionResponse;
  return {
    ...envelope(credential),
    response: {
      clientDataJSON: textOf(response.clientDataJSON),
      authenticatorData: textOf(response.authenticatorData),
      signature: textOf(response.signature),
      ...(response.userHandle ? { userHandle: textOf(response.userHandle) } : {}),
    },
  };
}

function envelope(credential: PublicKeyCredential): object {
  const { id, type, authenticatorAttachment } = credential;
  return {
    ...{ id, rawId: textOf(credential.rawId), type },
    ...(authenticatorAttachment ? { authenticatorAttachment } : {}),
    clientExtensionResults: credential.getClientExtensionResults(),
  };
}

function described({ id, ...rest }: CredentialJson): PublicKeyCredentialDescriptor {
  return { ...rest, id: bytesOf(id) };
}

function bytesOf(text: string): Uint8Array<ArrayBuffer> {
  const plain = atob(text.replaceAll('-', '+').replaceAll('_', '/'));
  return Uint8Array.from(plain, (character) => character.charCodeAt(0));
}

function textOf(bytes: ArrayBuffer): string {
  const plain = Array.from(new Uint8Array(bytes), (byte) => String.fromCharCode(byte)).join('');
  return btoa(plain).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
}
