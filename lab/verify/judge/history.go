package main

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"

	"github.com/anishathalye/porcupine"
)

// record is a line of a history.
type record struct {
	Process string
	Op      string // apply, read or erase
	User    string
	Code    string // its one form; an erasure has none
	Date    string
	Content string // What a call sent besides, without spaces.
	Outcome string
	// Items is what a read found, sorted: "applied <date> <content> <added>", where the service
	// added the last one, such as the time of receipt.
	Items []string
	Start int64
	End   int64
}

func (r record) String() string {
	if r.Op == "read" {
		return fmt.Sprintf("read%v", r.Items)
	}
	return fmt.Sprintf("%s %s %s: %s", r.Op, r.Date, r.Content, r.Outcome)
}

// isOpen is true for a call that can take effect after its answer.
func (r record) isOpen() bool {
	return r.Op == "apply" && !slices.Contains([]string{"applied", "repeated", "used", "refused"}, r.Outcome)
}

// readHistory reads a file with a record on each line.
func readHistory(file string) ([]record, error) {
	lines, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer lines.Close()
	var records []record
	for decoder := json.NewDecoder(lines); decoder.More(); {
		var r record
		if err := decoder.Decode(&r); err != nil {
			return nil, err
		}
		records = append(records, r)
	}
	return records, nil
}

// key names what is judged as a whole: one code of one user.
type key struct {
	User string `json:"user"`
	Code string `json:"code"`
}

// operationsOf returns what Porcupine judges, by user and code.
func operationsOf(records []record) (map[key][]porcupine.Operation, error) {
	byKey := map[key][]record{}
	erasures := map[string][]record{}
	for _, r := range records {
		if r.Op == "erase" {
			erasures[r.User] = append(erasures[r.User], r)
		} else {
			k := key{r.User, r.Code}
			byKey[k] = append(byKey[k], r)
		}
	}
	operations := map[key][]porcupine.Operation{}
	for k, ofCode := range byKey {
		calls, err := callsOf(ofCode, erasures[k.User])
		if err != nil {
			return nil, fmt.Errorf("%s of %s: %w", k.Code, k.User, err)
		}
		for row, c := range calls {
			// A row of the picture for each: an open call can end after the next one of its process.
			operations[k] = append(operations[k], porcupine.Operation{
				ClientId: row, Input: c, Call: c.Start, Return: c.End, Metadata: c.Process,
			})
		}
	}
	return operations, nil
}

// callsOf lets open calls end where they must have taken effect, and splits erasures into searches.
func callsOf(records, erasures []record) ([]call, error) {
	var calls []call
	var drained []int64
	for _, r := range records {
		if r.Op == "read" && r.Outcome == "drained" {
			drained = append(drained, r.Start)
		}
	}
	slices.Sort(drained)
	searches := make([]call, len(erasures))
	for i, erasure := range erasures {
		searches[i] = call{record: erasure}
		searches[i].Op = "search"
	}
	for _, r := range records {
		c := call{record: r}
		for i, erasure := range erasures {
			if erasure.Start <= r.End {
				c.erasuresBefore++
			}
			if r.Op == "apply" && erasure.Start <= r.End && r.Start <= erasure.End {
				c.overlapsErasure = true
				searches[i].spared = append(searches[i].spared, r.Date)
			}
		}
		if r.isOpen() {
			next, _ := slices.BinarySearch(drained, r.End)
			if next == len(drained) {
				return nil, fmt.Errorf("no read after an empty queue follows the call at %d", r.Start)
			}
			c.End = drained[next] - 1
		}
		calls = append(calls, c)
	}
	for range searchesPerErasure {
		calls = append(calls, searches...)
	}
	return calls, nil
}
