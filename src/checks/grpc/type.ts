import type { CheckDeclaration } from '../declare.ts'
import { text, timeout, tlsMode } from '../settings.ts'

export const grpc: CheckDeclaration = {
  check: 'grpc',
  family: 'web',
  keywords: ['rpc', 'api', 'health', 'protobuf'],
  types: {
    grpc: {
      name: { en: 'gRPC health', pl: 'Zdrowie gRPC' },
      ...{ addressPrefix: 'grpc://', addressForm: 'host_port', hasIpv6: true },
    },
  },
  settings: [
    text(
      'service_name',
      {
        en: 'Service whose health is asked for, such as package.Service; empty: the whole server',
        pl: 'Usługa, o której zdrowie się pyta, jak pakiet.Usługa; pusta: cały serwer',
      },
      { longest: 255, pattern: '^[\\x21-\\x7e]*$' },
    ),
    ...tlsMode('off', 'tls'),
    timeout(5000),
  ],
}
