import { createSocket } from 'node:dgram';

export interface UdpSocket {
  send(packet: Buffer, port: number, address: string): void;
  close(): void;
}

/** Errors lose packets. */
export function openUdp(own: string, heard: (packet: Buffer, from: string) => void): Promise<UdpSocket> {
  return new Promise((resolve, reject) => {
    const socket = createSocket('udp4');
    let isOpen = true;
    const close = () => {
      if (isOpen) socket.close();
      isOpen = false;
    };
    socket.once('error', (error) => {
      close();
      reject(error);
    });
    socket.on('message', (packet, { address }) => heard(packet, address));
    socket.bind(0, own, () => {
      socket.on('error', close);
      socket.setMulticastTTL(1);
      socket.setMulticastLoopback(false);
      socket.setMulticastInterface(own);
      resolve({
        send: (packet, port, address) => {
          if (isOpen) socket.send(packet, port, address, () => {});
        },
        close,
      });
    });
  });
}
