import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { BlockList } from 'node:net'
import { expect, test } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { commandFault, faultsOf, imageEnvironment, unknownVariables } from './cross-checks.ts'

const folder = 'deploy/kubernetes'

interface Named {
  readonly name: string
}
interface Variable extends Named {
  readonly value?: string
  readonly valueFrom?: { readonly secretKeyRef: { readonly name: string; readonly key: string } }
}
interface Probe {
  readonly httpGet?: { readonly path: string; readonly port: string }
  readonly tcpSocket?: { readonly port: string }
}
interface Container extends Named {
  readonly image: string
  readonly args?: readonly string[]
  readonly env?: readonly Variable[]
  readonly envFrom?: readonly { readonly configMapRef: Named }[]
  readonly ports: readonly { readonly name: string; readonly containerPort: number }[]
  readonly startupProbe?: Probe
  readonly readinessProbe: Probe
  readonly livenessProbe: Probe
  readonly securityContext: unknown
  readonly resources: unknown
  readonly volumeMounts: readonly (Named & { readonly mountPath: string })[]
}
interface Thing {
  readonly apiVersion: string
  readonly kind: string
  readonly metadata: Named
  readonly spec: {
    readonly selector: unknown
    readonly ports: readonly { readonly port: number; readonly targetPort: string }[]
    readonly template: {
      readonly metadata: {
        readonly labels: Readonly<Record<string, string>>
        readonly annotations?: Readonly<Record<string, string>>
      }
      readonly spec: {
        readonly securityContext: unknown
        readonly containers: readonly [Container]
        readonly volumes: readonly Named[]
      }
    }
  }
}

const kustomization = parse(readFileSync(`${folder}/kustomization.yaml`, 'utf8')) as {
  readonly resources: readonly string[]
  readonly configMapGenerator: readonly (Named & { readonly literals: readonly string[] })[]
}
const things = kustomization.resources.flatMap((file) =>
  parseAllDocuments(readFileSync(`${folder}/${file}`, 'utf8')).map((document) => document.toJS() as Thing),
)
const deployments = things.filter(({ kind }) => kind === 'Deployment')
const containers = deployments.map(
  (deployment) => [deployment.metadata.name, deployment.spec.template.spec.containers[0]] as const,
)
const ours = containers.filter(([, { image }]) => image === 'latarnik')
const literals = Object.fromEntries(
  kustomization.configMapGenerator
    .flatMap((map) => map.literals)
    .map((pair) => [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)]),
)

/** Where each kind belongs in the clusters of today. */
const versions: Readonly<Record<string, string>> = {
  Namespace: 'v1',
  Service: 'v1',
  Deployment: 'apps/v1',
  PodDisruptionBudget: 'policy/v1',
  NetworkPolicy: 'networking.k8s.io/v1',
}

test('every file is a resource of the base, and every resource is of a known kind', () => {
  const files = readdirSync(folder).filter((name) => name !== 'kustomization.yaml')
  expect(files.toSorted()).toEqual(kustomization.resources.toSorted())
  expect(things.filter(({ kind, apiVersion }) => versions[kind] !== apiVersion)).toEqual([])
  expect(new Set(things.map(({ kind, metadata }) => `${kind}/${metadata.name}`)).size).toBe(things.length)
})

test.each(ours)('%s checks nothing private until the operator says so', (_name, { env = [], envFrom = [] }) => {
  const own = env.find(({ name }) => name === 'ALLOW_PRIVATE_TARGETS')?.value
  expect(own ?? (envFrom.length > 0 ? literals['ALLOW_PRIVATE_TARGETS'] : undefined)).toBe('')
  expect(literals['REGISTRATION'] ?? 'off').toBe('off')
})

test.each(ours)('%s says only what the program understands', (_name, { args = [], env = [], envFrom = [] }) => {
  const isConfigured = envFrom.some(({ configMapRef }) =>
    kustomization.configMapGenerator.some(({ name }) => name === configMapRef.name),
  )
  expect(envFrom.length === 0 || isConfigured).toBe(true)
  const environment = isConfigured ? literals : {}
  expect(unknownVariables([...env.map(({ name }) => name), ...Object.keys(environment)])).toEqual([])
  expect(env.filter(({ name, valueFrom }) => valueFrom !== undefined && valueFrom.secretKeyRef.key !== name)).toEqual(
    [],
  )
  const given = env.filter(({ value }) => value !== undefined).map(({ name, value = '' }) => [name, value])
  const needed = env.some(({ name }) => name === 'DATABASE_URL') ? { DATABASE_URL: 'postgres://database/latarnik' } : {}
  expect(faultsOf({ ...imageEnvironment(), ...environment, ...needed, ...Object.fromEntries(given) })).toEqual([])
  expect(commandFault(args)).toBeNull()
})

test('the roles of all of them make a whole core', () => {
  const roles = ours.flatMap(([, { env = [] }]) =>
    env.filter(({ name }) => name === 'ROLES').flatMap(({ value = '' }) => value.split(',')),
  )
  // Its stations are far ones.
  expect(roles.toSorted()).toEqual(['api', 'monitoring', 'notifier', 'reporter'])
  expect(ours.some(([, { args }]) => args?.[0] === 'sensor')).toBe(true)
})

test.each(deployments.map((deployment) => [deployment.metadata.name, deployment] as const))(
  '%s runs with as few rights as the namespace demands and finds its own pods',
  (_name, { spec }) => {
    const { template, selector } = spec
    const [container] = template.spec.containers
    expect(template.spec.securityContext).toMatchObject({
      runAsNonRoot: true,
      seccompProfile: { type: 'RuntimeDefault' },
    })
    expect(container.securityContext).toEqual({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    })
    expect(container.resources).toMatchObject({ requests: expect.anything(), limits: { memory: expect.any(String) } })
    expect(selector).toEqual({ matchLabels: template.metadata.labels })
    const volumes = template.spec.volumes.map(({ name }) => name)
    expect(container.volumeMounts.map(({ name }) => name).toSorted()).toEqual(volumes.toSorted())
  },
)

test.each(containers)(
  '%s is asked on ports that it has',
  (_name, { ports, startupProbe, readinessProbe, livenessProbe }) => {
    const names = ports.map(({ name }) => name)
    for (const probe of [startupProbe, readinessProbe, livenessProbe]) {
      if (probe !== undefined) expect(names).toContain(probe.httpGet?.port ?? probe.tcpSocket?.port)
    }
  },
)

test('ports and names agree with the image and with each other', () => {
  const { PORT, METRICS_PORT, DATA_DIR } = imageEnvironment()
  for (const [name, { ports, args = [], volumeMounts, readinessProbe, livenessProbe }] of ours) {
    expect({ name, metrics: ports.find((port) => port.name === 'metrics')?.containerPort }).toEqual({
      name,
      metrics: Number(METRICS_PORT),
    })
    expect([readinessProbe.httpGet?.path, livenessProbe.httpGet?.path]).toEqual(['/readyz', '/healthz'])
    expect(volumeMounts.find((mount) => mount.name === 'data')?.mountPath).toBe(DATA_DIR)
    if (args.includes('--server')) expect(args[args.indexOf('--server') + 1]).toBe(`http://api:${PORT}`)
  }
  const services = things.filter(({ kind }) => kind === 'Service')
  expect([ours.length, services.length]).not.toContain(0)
  for (const { metadata, spec } of services) {
    const container = containers.find(([name]) => name === metadata.name)?.[1]
    expect(spec.ports.map(({ port }) => port)).toEqual([
      container?.ports.find(({ name }) => name === spec.ports[0]?.targetPort)?.containerPort,
    ])
  }
  expect(literals['NATS_URL']).toBe('nats://broker:4222')
})

test('a station reaches the API, names and public addresses, not the cluster and the metadata of its machine', () => {
  interface Peer {
    readonly ipBlock?: { readonly cidr: string; readonly except: readonly string[] }
  }
  interface Policy {
    readonly metadata: { readonly name: string }
    readonly spec: { readonly policyTypes: readonly string[]; readonly egress: readonly { readonly to?: Peer[] }[] }
  }
  const policies = parseAllDocuments(readFileSync(`${folder}/network.yaml`, 'utf8')).map((one) => one.toJS() as Policy)
  const station = policies.find(({ metadata }) => metadata.name === 'station')
  expect(station?.spec.policyTypes).toEqual(['Ingress', 'Egress'])
  const blocks = (station?.spec.egress ?? []).flatMap(({ to = [] }) => to.flatMap(({ ipBlock }) => ipBlock ?? []))
  expect(blocks.map(({ cidr }) => cidr)).toEqual(['0.0.0.0/0', '::/0'])
  const closed = new BlockList()
  for (const range of blocks.flatMap(({ except }) => except)) {
    const [address = '', bits] = range.split('/')
    closed.addSubnet(address, Number(bits), address.includes(':') ? 'ipv6' : 'ipv4')
  }
  const isOpen = (address: string) => !closed.check(address, address.includes(':') ? 'ipv6' : 'ipv4')
  expect(['169.254.169.254', '10.96.0.1', '172.20.0.10', '192.168.1.1', 'fd00::1', 'fe80::1'].filter(isOpen)).toEqual(
    [],
  )
  expect(['192.0.2.7', '198.51.100.7', '2001:db8::7'].filter(isOpen)).toHaveLength(3)
})

/**
 * The folder has the schemas of one version of Kubernetes, in a file per kind like `deployment-apps-v1.json`;
 * docs/installing.md says where they come from.
 */
const schemas = process.env['KUBERNETES_SCHEMAS']

test('kubeconform finds every resource valid that kustomize makes', (context) => {
  if (schemas === undefined) return context.skip('KUBERNETES_SCHEMAS names no folder of schemas')
  for (const [program, flag] of [
    ['kustomize', 'version'],
    ['kubeconform', '-v'],
  ] as const)
    if (spawnSync(program, [flag]).status !== 0) return context.skip(`there is no ${program} on this machine`)
  const rendered = spawnSync('kustomize', ['build', folder], { encoding: 'utf8' })
  expect(rendered).toMatchObject({ status: 0, stderr: '' })
  const at = `${schemas}/{{.ResourceKind}}{{.KindSuffix}}.json`
  const judge = (input: string) =>
    spawnSync('kubeconform', ['-strict', '-summary', '-schema-location', at, '-'], { input, encoding: 'utf8' })
  const count = things.length + kustomization.configMapGenerator.length
  expect(judge(rendered.stdout)).toMatchObject({
    status: 0,
    stdout: `Summary: ${count} resources found parsing stdin - Valid: ${count}, Invalid: 0, Errors: 0, Skipped: 0\n`,
  })
  expect(judge(rendered.stdout.replace('replicas: 2', 'replicas: two')).status).toBe(1)
  return undefined
})
