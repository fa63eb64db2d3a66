import { useQuery } from '@tanstack/react-query'
import { useTRPC } from '../../api-client/api-provider.tsx'

/** The tags that may be chosen; they change rarely. */
export const useTagChoices = () => useQuery({ ...useTRPC().tag.choices.queryOptions(), staleTime: 60_000 })
