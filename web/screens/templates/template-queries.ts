import { useQuery } from '@tanstack/react-query'
import type { Template } from '../../api/answers.ts'
import { read } from '../../api/client.ts'
import { useChannels } from '../../parts/addresses/address-queries.ts'
import { useTerms } from '../../parts/terms.ts'

export type ShownTemplate = Template & { readonly permissions: Readonly<Record<'update' | 'delete', boolean>> }

export const collection = '/templates'

export function useTemplates() {
  return useQuery({
    queryKey: ['templates'],
    queryFn: ({ signal }) => read(`${collection}?embed=permissions&sort=name&limit=1000`, signal),
  })
}

/** The usual wording, as a template. */
export function useDefaultTemplate(channelId: string, languageId: string) {
  const path = `/default_templates/${channelId}/${languageId}` as const
  return useQuery({
    queryKey: [path],
    queryFn: ({ signal }) => read(path, signal),
    staleTime: Number.POSITIVE_INFINITY,
  })
}

export function useTemplateVariables() {
  return useQuery({
    queryKey: ['dictionaries', 'template_variables'],
    queryFn: ({ signal }) => read('/dictionaries/template_variables?limit=1000', signal),
    staleTime: Number.POSITIVE_INFINITY,
  })
}

/** How the channel and the language of a template are called. */
export function useNamesOf({ notification_channel_id: channelId, language_id: languageId }: Template) {
  const { data: channels = [] } = useChannels()
  const languages = useTerms('languages')
  return {
    channel: channels.find(({ id }) => id === channelId)?.name ?? channelId,
    language: languages.find(({ id }) => id === languageId)?.name ?? languageId,
  }
}
