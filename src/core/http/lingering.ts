/** Ends a connection so that its client gets to see the last answer: one that is closed over unread bytes takes the answer with it (RFC 9112 section 9.6). */

import type { Socket } from "node:net";

/** How long a client may go on sending before the connection is broken off. */
const LINGER_MS = 500;

/** Sends the last bytes, if there are any, and reads on for a while; what comes is dropped. */
export function endLingering(socket: Socket, text: string): void {
  const breakOffLater = (): void => {
    const deadline = setTimeout(() => socket.destroy(), LINGER_MS);
    socket.once("close", () => clearTimeout(deadline));
  };
  if (socket.writableFinished) breakOffLater();
  else socket.once("finish", breakOffLater);
  socket.end(text);
  socket.resume();
}
