import type { NoticeFacts } from '../domain/notice.ts'

/** Where a reader finds more: pages for people, and for programs the addresses of the API. */
export interface NoticeLinks {
  readonly service: string
  readonly analysis: string | null
  readonly api: { readonly service: string; readonly analysis: string | null }
  ofCheck(sensorId: number): { readonly details: string | null; readonly artifacts: string | null }
}

/** `publicUrl` is the address of the program without `/v3`. */
export function noticeLinks(publicUrl: string, facts: NoticeFacts): NoticeLinks {
  const root = publicUrl.replace(/\/+$/, '')
  const path = `/services/${facts.service.id}`
  const [service, ofApi] = [`${root}${path}`, `${root}/v3${path}`]
  const ofAnalysis = (start: string) => (facts.analysis_id === null ? null : `${start}/${facts.analysis_id}`)
  const analysis = ofAnalysis(`${service}/analyses`)
  return {
    service,
    analysis,
    api: { service: ofApi, analysis: ofAnalysis(`${ofApi}/history/analyses`) },
    ofCheck(sensorId) {
      const check = analysis === null ? null : `${analysis}#sensor-${sensorId}`
      return { details: check, artifacts: check }
    },
  }
}
