#!/usr/bin/env node
// Turns labels of containers and annotations of Kubernetes objects into a file for CONFIG_DIR or `latarnik apply`:
//   docker ps --no-trunc --format '{{json .}}'  | node labels.mjs --mark docker -o /etc/latarnik/config/docker.yaml
//   docker inspect $(docker ps -q)              | node labels.mjs …
//   kubectl get ingress,service -A -o json      | node labels.mjs …
// Needs Node.js and nothing else. On any fault it writes nothing and ends with 1: a service that is only missing from a
// file could be deleted.
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { parseArgs } from 'node:util'

/** Members of a service that are texts, whatever they look like. */
const texts = new Set(['name', 'address', 'type_id'])
const shortNames = { type: 'type_id', group: 'group_id' }
const mark = /^latarnik[./](.+)$/

class Fault extends Error {}

/** `latarnik.interval` and `latarnik/interval` → `interval`, with its value. */
function ownLabels(labels) {
  return Object.entries(labels ?? {}).flatMap(([name, value]) => {
    const [, member] = mark.exec(name) ?? []
    return member === undefined ? [] : [[shortNames[member] ?? member, String(value)]]
  })
}

/** Labels say what is checked, and never read secrets of the machine that applies them. */
function guarded(text, where) {
  if (text.startsWith('file:')) throw new Fault(`${where}: a label names no file`)
  return text.split('${').join('$${')
}

function readValue(member, text, where) {
  const value = guarded(text, where)
  if (texts.has(member)) return value
  if (member === 'tags' || member.endsWith('_ids')) {
    const parts = value.split(',').map((part) => part.trim())
    return parts
      .filter((part) => part !== '')
      .map((part) => (/^\d+$/.test(part) && member !== 'tags' ? Number(part) : part))
  }
  if (/^-?\d{1,15}$/.test(value)) return Number(value)
  if (value === 'true' || value === 'false') return value === 'true'
  return value
}

/** Members by their labels; `extended_settings.timeout` is a member of `extended_settings`. */
function serviceOf(labels, where) {
  const service = {}
  for (const [path, text] of labels) {
    const way = path.split('.')
    if (way.some((step) => !/^[a-z][a-z0-9_]*$/.test(step)))
      throw new Fault(`${where}: ${path} is no member of a service`)
    const last = way.pop()
    let place = service
    for (const step of way) {
      if (place[step] !== undefined && typeof place[step] !== 'object')
        throw new Fault(`${where}: ${step} has two forms`)
      place = place[step] ??= {}
    }
    place[last] = readValue(last, text, `${where}: ${path}`)
  }
  return service
}

const keyOf = (text) =>
  text
    .toLowerCase()
    .replaceAll(/[^a-z0-9._-]/g, '-')
    .slice(0, 100)

/** `docker ps` prints labels as one text, in which only a name with `=` begins the next label. */
function labelsOfText(text) {
  const parts = text.split(/,(?=[A-Za-z0-9][\w./-]*=)/)
  return Object.fromEntries(
    parts.filter(Boolean).map((part) => [part.slice(0, part.indexOf('=')), part.slice(part.indexOf('=') + 1)]),
  )
}

function ofContainer(container) {
  const isInspected = container?.Config !== undefined
  if (typeof (isInspected ? container.Name : container?.Names) !== 'string')
    throw new Fault(
      `neither a container of docker nor an object of Kubernetes: ${JSON.stringify(container).slice(0, 80)}`,
    )
  const name = isInspected ? container.Name.replace(/^\//, '') : container.Names.split(',')[0]
  const labels = isInspected ? container.Config.Labels : labelsOfText(container.Labels)
  const own = ownLabels(labels)
  if (own.length === 0) return []
  const service = { name, type_id: 'https', ...serviceOf(own, name) }
  if (service.address === undefined) throw new Fault(`${name}: it has no label latarnik.address`)
  return [[keyOf(name), service]]
}

/** An Ingress with `latarnik/watch: "true"` and no address is a service for each of its hosts. */
function ofObject({ metadata, spec }) {
  const { namespace = 'default', name, labels, annotations } = metadata
  const where = `${namespace}/${name}`
  const own = ownLabels({ ...labels, ...annotations })
  const isWatched = own.some(([member, value]) => member === 'watch' && value === 'true')
  const service = serviceOf(
    own.filter(([member]) => member !== 'watch'),
    where,
  )
  if (service.address !== undefined)
    return [[keyOf(`${namespace}.${name}`), { name: where, type_id: 'https', ...service }]]
  if (!isWatched) return []
  const hosts = (spec?.rules ?? []).flatMap(({ host }) => (host === undefined || host.startsWith('*') ? [] : [host]))
  if (hosts.length === 0) throw new Fault(`${where}: it has neither a host nor latarnik/address`)
  return [...new Set(hosts)].map((host) => [
    keyOf(`${namespace}.${name}.${host}`),
    { name: host, type_id: 'https', ...service, address: host },
  ])
}

/** One JSON value, or one on each line as `docker ps` prints them. */
function parsed(text) {
  try {
    return [JSON.parse(text)].flat()
  } catch {
    return text.split('\n').flatMap((line) => (line.trim() === '' ? [] : [JSON.parse(line)]))
  }
}

function servicesIn(text) {
  if (text.trim() === '') throw new Fault('nothing was given; nothing is written')
  const given = parsed(text).flatMap((one) => (Array.isArray(one?.items) ? one.items : [one]))
  const found = given.flatMap((one) => (one?.metadata === undefined ? ofContainer(one) : ofObject(one)))
  const services = new Map()
  for (const [key, service] of found) {
    if (services.has(key)) throw new Fault(`two objects have the key ${key}`)
    services.set(key, service)
  }
  return [...services].toSorted(([one], [other]) => (one < other ? -1 : 1))
}

/** YAML in which every key and value is written as JSON, so that none is read as something else. */
function yamlOf(services, managedBy) {
  const lines = ['# Written by labels.mjs; changes are lost.', 'version: 1']
  if (managedBy !== undefined) lines.push(`managed_by: ${JSON.stringify(managedBy)}`)
  lines.push(services.length === 0 ? 'services: {}' : 'services:')
  for (const [key, service] of services) {
    lines.push(`  ${JSON.stringify(key)}:`)
    for (const [member, value] of Object.entries(service)) lines.push(`    ${member}: ${JSON.stringify(value)}`)
  }
  return `${lines.join('\n')}\n`
}

/** A reader sees the old file or the new one; an equal one is left alone. */
function replace(path, text) {
  let former = null
  try {
    former = readFileSync(path, 'utf8')
  } catch {}
  if (former === text) return
  const beside = join(dirname(path), `.${basename(path)}.${process.pid}`)
  try {
    writeFileSync(beside, text)
    renameSync(beside, path)
  } finally {
    rmSync(beside, { force: true })
  }
}

try {
  const { values } = parseArgs({ options: { output: { type: 'string', short: 'o' }, mark: { type: 'string' } } })
  const yaml = yamlOf(servicesIn(readFileSync(0, 'utf8')), values.mark)
  if (values.output === undefined) process.stdout.write(yaml)
  else replace(values.output, yaml)
} catch (error) {
  const told = error instanceof Fault ? error.message : `the input cannot be read: ${error.message}`
  process.stderr.write(`labels.mjs: ${told}\n`)
  process.exitCode = 1
}
