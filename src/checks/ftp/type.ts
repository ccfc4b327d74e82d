import type { CheckDeclaration } from '../declare.ts'
import { credentials, port, timeout, tlsMode } from '../shared-settings.ts'

export const ftp: CheckDeclaration = {
  check: 'ftp',
  family: 'servers',
  keywords: ['ftps', 'file', 'vsftpd', 'plik'],
  types: {
    ftp: { name: { en: 'FTP', pl: 'FTP' }, addressPrefix: 'ftp://', addressForm: 'host', hasIpv6: true },
  },
  settings: [port(21), ...tlsMode('off', 'starttls', 'tls'), ...credentials, timeout(10_000)],
}
