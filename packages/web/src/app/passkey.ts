interface CredentialJson {
  id: string;
  type: 'public-key';
  transports?: AuthenticatorTransport[];
}

export type CreationOptionsJson = Omit<
  PublicKeyCredentialCreationOptions,
  'challenge' | 'user' | 'excludeCredentials'
> & {
  challenge: string;
  user: { id: string; name: string; displayName: string };
  excludeCredentials?: CredentialJson[];
};
export type RequestOptionsJson = Omit<PublicKeyCredentialRequestOptions, 'challenge' | 'allowCredentials'> & {
  challenge: string;
  allowCredentials?: CredentialJson[];
};

/** Why passkeys do not work here; null: they work. */
export type PasskeyObstacle = 'insecure' | 'address' | 'browser' | null;

export function passkeyObstacle(): PasskeyObstacle {
  if (!isSecureContext) return 'insecure';
  // a passkey's relying party id must be a host name
  if (/^[\d.]+$|^\[/.test(location.hostname)) return 'address';
  return typeof PublicKeyCredential === 'undefined' ? 'browser' : null;
}

/** Maps the browser's error: cancelled or timed out, already registered, wrong address; null: other. */
export function passkeyRefusal(error: unknown): 'cancelled' | 'exists' | 'address' | null {
  const name = error instanceof DOMException ? error.name : '';
  if (name === 'NotAllowedError' || name === 'AbortError') return 'cancelled';
  if (name === 'InvalidStateError') return 'exists';
  return name === 'SecurityError' ? 'address' : null;
}

/** Creates a passkey. @returns the credential for the server @throws DOMException, see `passkeyRefusal` */
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

/** Signs with a passkey. @returns the assertion for the server @throws DOMException, see `passkeyRefusal` */
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
    id,
    rawId: textOf(credential.rawId),
    type,
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
