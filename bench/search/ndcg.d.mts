export function ndcg(ids: readonly string[], grades: Readonly<Record<string, number>>, depth: number): number
