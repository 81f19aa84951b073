import * as z from "zod";
import { ResponseShapeError } from "./errors";

/** Pagination links: relative paths with a `page` parameter; "" when there is no such page. */
export const Links = z.looseObject({ next: z.string().nullish() });
const PAGE_NUMBER = /^[1-9]\d{0,8}$/u;
const FIRST_PAGE = 1;
/** Of 20 items each, unless the service says otherwise. */
const MOST_PAGES = 10_000;
const SOMEWHERE = "http://service.invalid";

/** One page of a list. */
export interface Page<T> {
  readonly items: readonly T[];
  /** The next page's number; absent on the last page. */
  readonly next?: number;
}

/**
 * The page that `links.next` names. Only its number is used: filters are sent again by the caller, and a link can
 * never lead the token to another origin.
 */
export function nextPage(links: z.output<typeof Links> | null | undefined): { readonly next?: number } {
  const link = links?.next ?? "";
  if (link === "") return {};
  const number = URL.canParse(link, SOMEWHERE) ? new URL(link, SOMEWHERE).searchParams.get("page") : null;
  if (number === null || !PAGE_NUMBER.test(number)) {
    throw new ResponseShapeError("The service names a next page without a page number.");
  }
  return { next: Number(number) };
}

/**
 * Walks every page, one item at a time. An item that moved to a later page meanwhile is given once. Throws
 * ResponseShapeError when a page comes twice, by its number or by what is on it, and after 10,000 pages.
 */
export async function* walkPages<T extends { readonly id: string }>(
  fetchPage: (page: number | undefined) => Promise<Page<T>>,
): AsyncGenerator<T> {
  const pages = new Set([FIRST_PAGE]);
  const ids = new Set<string>();
  let page: number | undefined;
  do {
    const { items, next } = await fetchPage(page);
    const fresh = items.filter(({ id }) => !ids.has(id));
    for (const item of fresh) {
      if (ids.has(item.id)) continue;
      ids.add(item.id);
      yield item;
    }
    if (next !== undefined && (pages.has(next) || fresh.length === 0)) {
      throw new ResponseShapeError(`The service's pages do not end: after page ${page ?? FIRST_PAGE} they repeat.`);
    }
    if (next !== undefined && pages.size >= MOST_PAGES) {
      throw new ResponseShapeError(`The service's pages do not end: there are more than ${MOST_PAGES}.`);
    }
    if (next !== undefined) pages.add(next);
    page = next;
  } while (page !== undefined);
}
