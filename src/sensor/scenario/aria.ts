import type { CDPSession, Frame } from 'playwright-core'
import { type FoundElement, foundByProtocol } from './found-element.ts'
import { type Performance, sessionOf } from './stage.ts'

/**
 * Finds elements by accessible name and role, as the browser itself computes them and as the Recorder wrote them down.
 * The driver's own search needs a role, which a recording usually omits.
 */
export async function elementsByName(performance: Performance, frame: Frame, written: string): Promise<FoundElement[]> {
  const { name, role } = parseAria(written)
  const { session, root } = await documentOf(performance, frame)
  const { nodes } = await session.send('Accessibility.queryAXTree', {
    ...root,
    ...(name === null ? {} : { accessibleName: name }),
    ...(role === null ? {} : { role: browserRoles[role] ?? role }),
  })
  const named = nodes
    .slice(0, mostNodes)
    .filter(({ ignored, role: kind }) => !ignored && !texts.has(String(kind?.value)))
    .flatMap(({ backendDOMNodeId }) => backendDOMNodeId ?? [])
  const found = named.map(async (backendNodeId) => {
    const { object } = await session.send('DOM.resolveNode', { backendNodeId })
    return object.objectId === undefined ? [] : [foundByProtocol(session, frame, object.objectId)]
  })
  return (await Promise.all(found)).flat()
}

const mostNodes = 100
/** Roles whose name in the browser differs from the standard's. */
const browserRoles: Readonly<Record<string, string>> = { img: 'image' }
const texts = new Set(['StaticText', 'InlineTextBox'])

interface AriaQuery {
  readonly name: string | null
  readonly role: string | null
}

/** `Name`, `Name[role="button"]`, `[role="img"]`, as Puppeteer reads it. */
export function parseAria(written: string): AriaQuery {
  let role: string | null = null
  let name: string | null = null
  const rest = written.replaceAll(
    /\[\s*(name|role)\s*=\s*(?:"([^"]*)"|'([^']*)')\s*\]/g,
    (_whole, attribute: string, double?: string, single?: string) => {
      const value = (double ?? single ?? '').trim().replaceAll(/\s+/g, ' ')
      if (attribute === 'role') role = value
      else name = value
      return ''
    },
  )
  const said = rest.trim().replaceAll(/\s+/g, ' ')
  return { name: name ?? (said === '' ? null : said), role }
}

interface Root {
  readonly session: CDPSession
  readonly root: { readonly objectId: string } | { readonly backendNodeId: number }
}

async function documentOf(performance: Performance, frame: Frame): Promise<Root> {
  const page = frame.page()
  if (frame === page.mainFrame()) return ownDocument(await sessionOf(performance, page))
  // A frame of another site has its own process and session; one of the same site has not.
  const own = await sessionOf(performance, frame).catch(() => null)
  if (own !== null) return ownDocument(own)
  const session = await sessionOf(performance, page)
  const backendNodeId = await documentNodeOf(session, frame)
  return { session, root: { backendNodeId } }
}

async function ownDocument(session: CDPSession): Promise<Root> {
  const { result } = await session.send('Runtime.evaluate', { expression: 'document' })
  if (result.objectId === undefined) throw new Error('the page has no document')
  return { session, root: { objectId: result.objectId } }
}

interface FrameTree {
  readonly frame: { readonly id: string; readonly url: string; readonly urlFragment?: string }
  readonly childFrames?: readonly FrameTree[]
}

async function documentNodeOf(session: CDPSession, frame: Frame): Promise<number> {
  const { frameTree } = await session.send('Page.getFrameTree')
  const alike = frame
    .page()
    .frames()
    .filter((one) => one.url() === frame.url())
  const known = flat(frameTree).filter(({ url, urlFragment = '' }) => url + urlFragment === frame.url())
  const found = known[alike.indexOf(frame)]
  if (found === undefined) throw new Error('the browser does not know the frame')
  await session.send('DOM.enable')
  const owner = await session.send('DOM.getFrameOwner', { frameId: found.id })
  const { node } = await session.send('DOM.describeNode', { backendNodeId: owner.backendNodeId, pierce: true })
  if (node.contentDocument === undefined) throw new Error('the frame has no document')
  return node.contentDocument.backendNodeId
}

function flat({ frame, childFrames = [] }: FrameTree): FrameTree['frame'][] {
  return [frame, ...childFrames.flatMap(flat)]
}
