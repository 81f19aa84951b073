/** Variables that other people wrote, of each kind. */
export const EXISTING_VARIABLES = [
  { name: "SAME", value: "as declared", hidden: false },
  { name: "OTHER", value: "something else", hidden: false },
  { name: "HIDDEN", value: "a-hidden-value-1234", hidden: true },
  { name: "SCOPED", value: "scoped", hidden: false, services: ["worker"] },
  { name: "SHORT", value: "abc", hidden: true },
];
