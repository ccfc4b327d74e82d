import { portPlace, splitPort, withPort } from '../../parts/port-place.ts'
import { dnsOf, hostOf, type Proposal, proposalFor } from '../../parts/proposal.ts'
import { type Draft, type Formats, isHeartbeat } from './draft.ts'

/** The parts of the form that depend on the type: where its address ends and its settings begin. */
type Placed = Pick<Draft, 'address' | 'settings'>

/** Its address is a name server, which is asked for the name of a setting. */
export function asksNames(formats: Formats): boolean {
  return formats.some(({ setting_id }) => setting_id === 'query_name')
}

/** The meaning of a pasted text for a DNS service. */
function inDns(pasted: string, { address, settings }: Placed): Placed {
  const { server, name } = dnsOf(hostOf(pasted))
  return {
    address: server === '' ? address : server,
    settings: name === '' ? settings : { ...settings, query_name: name },
  }
}

/** The address, and the port alone as a setting, each where the type has it. */
function placed({ address, settings }: Placed | Proposal, typeId: string, formats: Formats): Placed {
  if (isHeartbeat({ type_id: typeId })) return { address: '', settings: {} }
  const given = typeof settings['port'] === 'string' && settings['port'] !== '' ? settings['port'] : null
  const place = portPlace(typeId, formats)
  if (place === 'address') return { address: given === null ? address : withPort(address, given), settings: {} }
  const { host, port: inAddress } = splitPort(address)
  const port = given ?? inAddress
  const usual = formats.find(({ setting_id }) => setting_id === 'port')?.default
  const isSet = place === 'setting' && port !== null && port !== String(usual)
  return { address: host, settings: isSet ? { port } : {} }
}

/** A text pasted once the type is chosen. */
export function pastedInto(draft: Draft, pasted: string, formats: Formats): Placed {
  const proposal = proposalFor(pasted)
  if (proposal === null) return draft
  const inPlace = placed(proposal, draft.type_id, formats)
  if (!asksNames(formats)) return { address: inPlace.address, settings: { ...draft.settings, ...inPlace.settings } }
  const ofDns = inDns(pasted, draft)
  return ofDns.address === inPlace.address ? { ...ofDns, settings: { ...ofDns.settings, ...inPlace.settings } } : ofDns
}

/** The form once another type is chosen: settings begin anew, and the port of the address moves. */
export function ofOtherType(draft: Draft, pasted: string, typeId: string, formats: Formats): Placed {
  const proposal = proposalFor(pasted)
  const isProposed = draft.address === '' || draft.address === proposal?.address
  const inPlace = placed(draft.address === '' && proposal !== null ? proposal : draft, typeId, formats)
  if (asksNames(formats)) {
    // For DNS the typed text is the domain to query; a name server is a separate field.
    const ofDns = inDns(pasted, { address: isProposed ? '' : inPlace.address, settings: {} })
    return ofDns.address === inPlace.address
      ? { ...ofDns, settings: { ...inPlace.settings, ...ofDns.settings } }
      : ofDns
  }
  return proposal?.typeId === typeId ? { ...inPlace, settings: { ...proposal.settings, ...inPlace.settings } } : inPlace
}

/** `host:port` in the address of a type whose port is a setting: what was typed last counts. */
export function portMoved<Of extends Placed & Pick<Draft, 'type_id'>>(draft: Of, formats: Formats): Of {
  const isMoved = portPlace(draft.type_id, formats) === 'setting' && splitPort(draft.address).port !== null
  if (!isMoved) return draft
  const { port: _before, ...others } = draft.settings
  const { address, settings } = placed({ address: draft.address, settings: {} }, draft.type_id, formats)
  return { ...draft, address, settings: { ...others, ...settings } }
}
