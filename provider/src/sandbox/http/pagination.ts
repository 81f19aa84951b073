import type { Choices } from "../domain/choices";
import { limits } from "./limits";

/** "`links` has `first`, `last`, `next`, `prev`". `next` and `prev` are empty when there is no such page. */
export interface Links {
  readonly first: string;
  readonly last: string;
  readonly next: string;
  readonly prev: string;
}

/** One page and its links. */
export interface Page<T> {
  readonly items: readonly T[];
  readonly links: Links;
}

/** Cuts the page out that the query asks for. A page or page_size that is no positive integer counts as left out. */
export function paginate<T>(all: readonly T[], path: string, query: URLSearchParams, choices: Choices): Page<T> {
  const page = positiveInteger(query.get("page")) ?? limits.firstPage;
  const asked = positiveInteger(query.get("page_size")) ?? limits.defaultPageSize;
  const size = Math.min(asked, choices.maxPageSize ?? asked);
  // "For an empty result, first and last both point to page 1."
  const last = Math.max(Math.ceil(all.length / size), limits.firstPage);
  const link = (target: number) => {
    const parameters = new URLSearchParams(choices.linkQuery === "all" ? query : undefined);
    parameters.set("page", String(target));
    return `${path}?${parameters.toString()}`;
  };
  return {
    items: all.slice((page - 1) * size, page * size),
    links: {
      first: link(limits.firstPage),
      last: link(last),
      next: page < last ? link(page + 1) : "",
      prev: page > limits.firstPage ? link(Math.min(page - 1, last)) : "",
    },
  };
}

/** "true", "True", "1" and "yes" are true. Everything else, and a parameter that is left out, is false. */
export function isTrue(text: string | null): boolean {
  return text !== null && /^(?:true|1|yes)$/i.test(text);
}

function positiveInteger(text: string | null): number | undefined {
  if (text === null || !/^\d+$/.test(text)) return undefined;
  const parsed = Number(text);
  return Number.isSafeInteger(parsed) && parsed > 0 ? parsed : undefined;
}
