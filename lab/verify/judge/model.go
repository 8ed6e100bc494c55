package main

import (
	"slices"
	"strings"

	"github.com/anishathalye/porcupine"
)

// state is what is stored of one code of one user, and how often erasures have searched it.
type state struct {
	// The items as a read finds them, sorted and joined: states are compared with ==. An item has
	// nothing added until a read finds it.
	stored   string
	searches int
}

// call is an operation of a history, with what the others of its user mean for it.
type call struct {
	record
	// erasuresBefore counts the erasures of the user that began before the answer.
	erasuresBefore int
	// overlapsErasure is true for a call during an erasure: it may be erased, or not.
	overlapsErasure bool
	// spared has the dates of such calls, for a search.
	spared []string
}

// Each erasure searches the table twice.
const searchesPerErasure = 2

var model = porcupine.NondeterministicModel{
	Init: func() []any { return []any{state{}} },
	Step: func(before, input, _ any) []any {
		var after []any
		for _, next := range step(before.(state), input.(call)) {
			after = append(after, next)
		}
		return after
	},
	DescribeOperation: func(input, _ any) string { return input.(call).String() },
	DescribeState:     func(s any) string { return strings.Join(s.(state).items(), ", ") },
}

// step returns the states that a call can leave behind; none if it cannot have its outcome.
func step(s state, c call) []state {
	switch c.Op {
	case "read":
		if slices.EqualFunc(s.items(), c.Items, isFoundAs) {
			return []state{s.having(c.Items)}
		}
		return nil
	case "search":
		return s.searched(c.spared)
	}
	application := s.application()
	isOthers := application != "" && dateOf(application) != c.Date
	switch c.Outcome {
	case "refused":
		return []state{s}
	case "applied":
		if isOthers {
			return nil
		}
		return []state{s.with(c)}
	case "repeated":
		if !isOthers {
			return nil
		}
		return []state{s.with(c)}
	case "used":
		if !isOthers {
			return nil
		}
		return []state{s}
	case "queued":
		next := c.erasuresBefore * searchesPerErasure
		if s.searches >= next+searchesPerErasure {
			return []state{s}
		}
		if s.searches <= next && !c.overlapsErasure {
			return []state{s.with(c)}
		}
		return []state{s, s.with(c)}
	default: // Unanswered, failed or retryable.
		if s.searches >= (c.erasuresBefore+1)*searchesPerErasure {
			return []state{s}
		}
		return []state{s, s.with(c)}
	}
}

// isFoundAs is true if an item can be what a read found: the first read fixes what was added.
func isFoundAs(item, found string) bool {
	isKnown := strings.Count(item, " ") > 2
	return item == found || !isKnown && strings.HasPrefix(found, item+" ")
}

// with returns the state after a call was stored. An item with its date remains as it is.
func (s state) with(c call) state {
	kind := "repeated "
	if application := s.application(); application == "" || dateOf(application) == c.Date {
		kind = "applied "
	}
	items, item := s.items(), kind+c.Date+" "
	if slices.ContainsFunc(items, func(other string) bool { return strings.HasPrefix(other, item) }) {
		return s
	}
	items = append(items, item+c.Content)
	slices.Sort(items)
	return s.having(items)
}

// searched returns the states after an erasure has searched: it may spare what came during it.
func (s state) searched(spared []string) []state {
	states := []state{{searches: s.searches + 1}}
	for _, item := range s.items() {
		if !slices.Contains(spared, dateOf(item)) {
			continue
		}
		for _, other := range slices.Clone(states) {
			states = append(states, other.having(append(other.items(), item)))
		}
	}
	return states
}

// application returns the item that applied the code; "" if there is none.
func (s state) application() string {
	if strings.HasPrefix(s.stored, "applied ") {
		return s.items()[0]
	}
	return ""
}

func (s state) having(items []string) state {
	return state{strings.Join(items, "\n"), s.searches}
}

func (s state) items() []string {
	if s.stored == "" {
		return nil
	}
	return strings.Split(s.stored, "\n")
}

// dateOf returns the second word of an item.
func dateOf(item string) string {
	return strings.Fields(item)[1]
}
