import { useQuery } from '@tanstack/react-query'

interface Place {
  readonly slug: string
  readonly updated_at: string
}

/** Where the public finds a page of this installation. */
export function pageAddress({ slug }: Pick<Place, 'slug'>): string {
  return `${document.documentElement.dataset['prefix'] ?? ''}/status/${slug}`
}

/** Browsers keep a page for half a minute; the one who writes to it sees their own words at once. */
export function useFreshPage(page: Place): void {
  const address = pageAddress(page)
  useQuery({
    queryKey: ['fresh_status_page', address, page.updated_at],
    queryFn: async ({ signal }) => {
      const { status } = await fetch(address, { cache: 'reload', headers: { Accept: 'text/html' }, signal })
      return status
    },
    retry: false,
  })
}
