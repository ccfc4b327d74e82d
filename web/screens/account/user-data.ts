import { useQuery } from '@tanstack/react-query'
import { read } from '../../api/client.ts'

export interface UserData {
  readonly contact_person: string
  readonly email_address: string
  readonly phone_number: string
  readonly ip_whitelist: readonly string[]
  readonly ip_whitelist_enabled: boolean
  readonly has_2fa_enabled: boolean
  readonly permissions: { readonly update: boolean }
}

export function useUserData() {
  return useQuery({
    queryKey: ['user_data'],
    queryFn: async ({ signal }): Promise<UserData> => {
      const [data, permissions] = await Promise.all([
        read('/user_data/my_user_data', signal),
        read('/user_data/my_user_data/permissions', signal),
      ])
      return { ...data, permissions }
    },
  })
}
