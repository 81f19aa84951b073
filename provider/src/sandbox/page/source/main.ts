import { follow } from "./control";
import { showEnvironments } from "./environments";
import { showFaults } from "./faults";
import { showJournal } from "./journal";

// Texts of the world go through `textContent` only.
follow(({ environments, journal, faults }) => {
  showEnvironments(environments);
  showJournal(journal, environments);
  showFaults(faults, environments);
});
