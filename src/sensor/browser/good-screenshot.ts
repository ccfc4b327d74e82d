import { largestGoodScreenshot } from '../../domain/judging/good-screenshot.ts'
import type { CheckEvidence } from '../protocol.ts'
import { takeScreen } from './picture.ts'
import { taken } from './taken.ts'
import type { Visit } from './visit.ts'

/**
 * A screenshot of a good page, taken after its time was measured; null if there is none worth keeping. Never rejects.
 */
export async function takeGoodScreenshot(visit: Visit, patienceMs: number): Promise<CheckEvidence | null> {
  const picture = await taken(patienceMs, [() => takeScreen({ visit, patienceMs })])
  if (!('value' in picture) || picture.value.length > largestGoodScreenshot) return null
  return {
    ...{ base_url: '', ip_address: null, status_code: null, response_headers: null, content_type: null },
    ...{ file_name: null, facts: {} },
    artifacts: [{ typeId: 'screenshot', contentType: 'image/jpeg', bytes: picture.value }],
  }
}
