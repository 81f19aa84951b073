import * as z from "zod";
import { ResponseShapeError } from "./errors";

/** Pagination links: relative paths with a `page` parameter. "" when there is no such page. */
export const Links = z.object({ next: z.string().nullish(), last: z.string().nullish().catch(undefined) });
const PAGE_NUMBER = /^[1-9]\d{0,8}$/u;
const FIRST_PAGE = 1;
/** Of 20 items each, unless the service says otherwise. */
const MAX_PAGES = 10_000;
const SOMEWHERE = "http://service.invalid";

/** One page of a list. */
export interface Page<T> {
  readonly items: readonly T[];
  /** The next page's number. Absent on the last page. */
  readonly next?: number;
  /** The number of the last page, when the service names it. */
  readonly last?: number;
}

/** Reads a page by its number. Without one, the first. */
export type FetchPage<T> = (page: number | undefined) => Promise<Page<T>>;

/**
 * The pages that links name. Only their numbers are used: filters are sent again by the caller, and a link can never lead the token to
 * another origin or path. A number of a last page above the limit counts as none.
 */
export function linkedPages(links: z.output<typeof Links> | null | undefined): Omit<Page<unknown>, "items"> {
  const [next, last] = [pageNumber(links?.next), pageNumber(links?.last)];
  if (next === undefined && (links?.next ?? "") !== "")
    throw new ResponseShapeError(
      "Could not read a list: the service's link to the next page has no page number. Check previewenv:baseUrl.",
    );
  return { ...(next !== undefined && { next }), ...(last !== undefined && last <= MAX_PAGES && { last }) };
}

/**
 * Walks every page from the first one, or from `start`, and gives of each the items that no earlier one had. A page may be empty
 * although another one follows. Throws ResponseShapeError when the service's pages do not end: a page number comes again, a page
 * that is not the last holds only items of earlier ones, or there are more than 10,000.
 */
export async function* eachPage<T extends { readonly id: string }>(
  fetchPage: FetchPage<T>,
  start?: number,
): AsyncGenerator<readonly T[]> {
  const pages = new Set([start ?? FIRST_PAGE]);
  const ids = new Set<string>();
  let page = start;
  while (pages.size <= MAX_PAGES) {
    const { items, next } = await fetchPage(page);
    const added = items.filter(({ id }) => isNew(ids, id));
    yield added;
    if (next === undefined) return;
    if (pages.has(next) || (added.length === 0 && items.length > 0))
      throw new ResponseShapeError(
        `Could not read a list: its pages repeat after page ${page ?? FIRST_PAGE}. Run the command again later.`,
      );
    pages.add(next);
    page = next;
  }
  throw new ResponseShapeError(`Could not read a list: it has more than ${MAX_PAGES} pages. Check previewenv:baseUrl.`);
}

function isNew(ids: Set<string>, id: string): boolean {
  const { size } = ids;
  return ids.add(id).size > size;
}

function pageNumber(link: string | null | undefined): number | undefined {
  if (!link || !URL.canParse(link, SOMEWHERE)) return undefined;
  const number = new URL(link, SOMEWHERE).searchParams.get("page");
  return number !== null && PAGE_NUMBER.test(number) ? Number(number) : undefined;
}
