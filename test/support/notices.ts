import type { NoticeCheck, NoticeFacts } from '../../src/domain/notification/notice.ts'

export const failureAt = Date.UTC(2026, 10, 21, 11, 13, 0)

export function noticeCheck(values: Partial<NoticeCheck> = {}): NoticeCheck {
  return {
    sensor_id: 1,
    sensor_name: 'Local 1',
    city: 'Warszawa',
    country: 'Polska',
    result: 'error',
    response_time: 12,
    error_type_id: 2001,
    error_message: 'connect ECONNREFUSED 127.0.0.1:8000',
    artifact_ids: ['content', 'screenshot'],
    ...values,
  }
}

const ok = { result: 'ok', error_type_id: null, error_message: null, artifact_ids: [] } as const

/** A shop that one of three sensors still reaches. */
export function failureNotice(values: Partial<NoticeFacts> = {}): NoticeFacts {
  return {
    condition: 'failure',
    service: { id: 12, name: 'Sklep', address: 'shop.example.com/', type_id: 'http' },
    group: { id: 3, name: 'Default' },
    decidedAt: failureAt + 1500,
    sinceAt: failureAt,
    previous: { status: 'ok', startedAt: failureAt - 86_400_000 },
    durationSeconds: null,
    analysis_id: '176372358000000',
    checks: [
      noticeCheck(),
      noticeCheck({ sensor_id: 2, sensor_name: 'Local 2', city: '', country: '' }),
      noticeCheck({ sensor_id: 3, sensor_name: 'Local 3', ...ok }),
    ],
    pauseReason: null,
    ...values,
  }
}

/** The end of that failure, five minutes and three seconds later. */
export function recoveryNotice(values: Partial<NoticeFacts> = {}): NoticeFacts {
  const recoveryAt = failureAt + 303_000
  return failureNotice({
    condition: 'recovery',
    decidedAt: recoveryAt + 1500,
    sinceAt: recoveryAt,
    previous: { status: 'failure', startedAt: failureAt },
    durationSeconds: 303,
    checks: [noticeCheck(ok), noticeCheck({ ...ok, sensor_id: 2, sensor_name: 'Local 2' })],
    ...values,
  })
}
