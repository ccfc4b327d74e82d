import type { CheckDeclaration } from '../declare.ts'
import { text } from '../settings.ts'
import { timeout, tlsMode } from '../shared-settings.ts'

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
        en: {
          label: 'Service name',
          description: 'The service whose health is asked for, such as package.Service. Empty: the whole server.',
        },
        pl: {
          label: 'Nazwa usługi',
          description: 'Usługa, o której zdrowie się pyta, jak pakiet.Usługa. Puste: cały serwer.',
        },
      },
      { longest: 255, pattern: '^[\\x21-\\x7e]*$' },
    ),
    ...tlsMode('off', 'tls'),
    timeout(5000),
  ],
}
