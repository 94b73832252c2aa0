import { asText, type EdgeSnapshotResult } from '@yunxun/contract/device';

/** JPEG in base64. */
export const cameraPicture = [
  '/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDABsSFBcUERsXFhceHBsgKEIrKCUlKFE6PTBCYFVlZF9VXVtqeJmBanGQc1tdhbWGkJ6j',
  'q62rZ4C8ybqmx5moq6T/2wBDARweHigjKE4rK06kbl1upKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSk',
  'pKSkpKSkpKT/wAARCABaAKADASIAAhEBAxEB/8QAGQABAAMBAQAAAAAAAAAAAAAAAAEEBQMC/8QAMRABAAECBAIJBAAHAAAAAAAA',
  'AAECAwQREhRSoQUTISIxQVFTokNhgsEVMjRjgbHh/8QAGAEBAQEBAQAAAAAAAAAAAAAAAAIDAQT/xAAeEQEBAAICAwEBAAAAAAAA',
  'AAAAAQISETEDIVETYf/aAAwDAQACEQMRAD8A0gGrIB4uXbdqM66ogdexn3ukZnstU5feVTrruvX1lWr1zRc40nit7bYz7PSMx2Xa',
  'c/vC7bu27sZ0VRLsylTljce3sBSAAAAAAAAAAAnsjwz+wAq3q8ZV2WrWiPXVGapVg8VVOdVEzPrNUNYefK3l6MbxPTI2WI9v5QbL',
  'Ee38oa44rasjZYj2/lCacHiqZzpomJ9YqhrAbVUs14ynsu2tceuqM1qO2PDL7JQ2wvMYZ9gC0AAAAAAAAAAJAee9t50rYzF7XR3N',
  'erPzyyVv4t/Y+f8Aw6Z+j+X6Zjim5g8Xutfc0acvPPNZZvQ31vx/bSHBCUNfH0yz7AGiAV9/hvd+Mm/w3u/GXNp9Xpl8WBX3+G93',
  '4yb/AA3u/GTafTTL4sDjbxdi7XFFFedU+EZS7EvKbLOwB1wFDc3ePlBubvHyhOytWgKG5vcfKDc3uPlDK481pL6eOmfo/l+mY0b0',
  'zfy63vafDycuot8POTWu7R36G+t+P7aTLszNjPqu7q8fN13N7j5Qa05X0KO5vcfKEbm7x8oXj6iMvdXxQ3N3j5Qbm7x8oVsnVlzM',
  'UxnM5Qimumr+Wc3THWO5TVbpnKJ7cnHBWpru5zTOiPFjq9f7e/46PM3KInKau1d6m3w82VctV0XJpmmc8/TxNS+b40ujv6y3/n/U',
  'tpjYO3NmiirLK5EeK1ubvHyhpj6jDy3e8xfFDc3ePlBubvHyhWzPVzASoAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAB//9k=',
].join('');

/** Every fifth asks for a password; high addresses are silent. */
export function takePicture(params: Readonly<Record<string, unknown>>): EdgeSnapshotResult {
  const tail = Number(asText(params.address, 15)?.split('.').at(-1));
  if (tail >= 240) return { reason: 'silent' };
  return tail % 5 === 0 ? { reason: 'password' } : { picture: cameraPicture };
}
