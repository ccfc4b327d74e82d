import { expect, test } from 'vitest'
import { memoryLimit } from './memory-limit.ts'

const none = Number.POSITIVE_INFINITY
const unlimited = '9223372036854771712'

function limitWith(files: Readonly<Record<string, string>>, own = 0): number {
  return memoryLimit((file) => {
    const text = files[file]
    if (text === undefined) throw new Error(`no such file: ${file}`)
    return text
  }, own)
}

const second = (group: string, root = '/') => ({
  '/proc/self/cgroup': `0::${group}\n`,
  '/proc/self/mountinfo': `22 28 0:21 / /proc rw - proc proc rw\n30 23 0:26 ${root} /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n`,
})
const first = (group: string, root = '/') => ({
  '/proc/self/cgroup': `9:name=systemd:/\n4:cpu,memory:${group}\n2:cpuset:/else\n0::/\n`,
  '/proc/self/mountinfo': `34 31 0:31 / /cg/cpuset rw - cgroup cgroup rw,cpuset\n35 31 0:32 ${root} /cg/memory rw - cgroup cgroup rw,cpu,memory\n41 31 0:38 / /cg/unified rw - cgroup2 cgroup2 rw\n`,
})

test('the least limit counts, of the group itself and of all around it', () => {
  const group = second('/system.slice/latarnik.service')
  const slice = { ...group, '/sys/fs/cgroup/system.slice/memory.max': '300\n' }
  expect(limitWith(slice)).toBe(300)
  expect(limitWith({ ...slice, '/sys/fs/cgroup/system.slice/latarnik.service/memory.max': 'max\n' })).toBe(300)
  expect(limitWith({ ...slice, '/sys/fs/cgroup/system.slice/latarnik.service/memory.max': '200\n' })).toBe(200)
  expect(limitWith({ ...slice, '/sys/fs/cgroup/memory.max': '100\n' })).toBe(100)
  expect(limitWith({ ...group, '/sys/fs/cgroup/other.slice/memory.max': '100\n' })).toBe(none)
})

test('groups of the first version are read alike', () => {
  const group = first('/kubepods/pod1/box')
  const open = { ...group, '/cg/memory/kubepods/pod1/box/memory.limit_in_bytes': `${unlimited}\n` }
  expect(limitWith(open)).toBe(Number(unlimited))
  expect(limitWith({ ...open, '/cg/memory/kubepods/pod1/memory.limit_in_bytes': '400\n' })).toBe(400)
})

test.each([
  ['shows the group as its root', '/', '/'],
  ['mounts the group alone', '/docker/abc', '/docker/abc'],
  ['names a group that it does not show', '/docker/abc', '/docker/other'],
  ['names a group outside', '/../other', '/'],
])('a container that %s has the limit of the root that it sees', (_what, group, root) => {
  expect(limitWith({ ...second(group, root), '/sys/fs/cgroup/memory.max': '500\n' })).toBe(500)
  expect(limitWith({ ...first(group, root), '/cg/memory/memory.limit_in_bytes': '500\n' })).toBe(500)
})

test('the number that Node reads counts too, and stands alone where no file is readable', () => {
  expect(limitWith({}, 250)).toBe(250)
  expect(limitWith({ ...second('/a'), '/sys/fs/cgroup/a/memory.max': '300' }, 250)).toBe(250)
  for (const nothing of ['', 'max', 'x']) {
    expect(limitWith({ ...second('/a'), '/sys/fs/cgroup/a/memory.max': nothing })).toBe(none)
  }
  expect(limitWith({}, 0)).toBe(none)
  expect(memoryLimit()).toBeGreaterThan(0)
})
